/** The letter that a key stands for; on a layout without Latin letters the one that the key has on a Latin keyboard. */
export function letterOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  const other = key.length === 1 && key.charCodeAt(0) > 0x24f && /^Key[A-Z]$/.test(code);
  return (other ? code.slice(3) : key).toLowerCase();
}
