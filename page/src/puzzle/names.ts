/** The names at the table of a puzzle or a lesson. The learner has their own name, or is called "You" if an opponent has it too. */
export function namesAround(names: readonly string[], seat: number, own: string, you: string): string[] {
  const taken = names.some((name, other) => other !== seat && name.toLowerCase() === own.toLowerCase());
  return names.map((name, at) => (at !== seat ? name : own === "" || taken ? you : own));
}
