/** The words of the phrases and the pictures of the reactions, in the reader's language. */
import type { ChatMessage, Reaction } from "../protocol.ts";
import { t } from "../language.svelte.ts";

type Phrase = NonNullable<ChatMessage["phrase"]>;

export const phrases = (): Record<Phrase, string> => ({
  hello: t("Hello!"), "good luck": t("Good luck!"), "well played": t("Well played!"), "good game": t("Good game!"), thanks: t("Thank you!"), sorry: t("Sorry!"),
  oops: t("Oops!"), "nice one": t("Nice one!"), "one moment": t("One moment, please."), "I am back": t("I am back."), "your turn": t("It is your turn."), goodbye: t("Goodbye!"),
});

/** What is shown of a reaction, what the button for it is called, and what is read out when somebody sends it. */
export const reactions = (name: string): Record<Reaction["kind"], { picture: string; you: string; spoken: string }> => ({
  smile: { picture: "🙂", you: t("You: smiles"), spoken: t("{name} smiles", { name }) },
  laugh: { picture: "😂", you: t("You: laughs"), spoken: t("{name} laughs", { name }) },
  wow: { picture: "😮", you: t("You: is surprised"), spoken: t("{name} is surprised", { name }) },
  think: { picture: "🤔", you: t("You: thinks"), spoken: t("{name} thinks", { name }) },
  sad: { picture: "😢", you: t("You: is sad"), spoken: t("{name} is sad", { name }) },
  cross: { picture: "😠", you: t("You: is cross"), spoken: t("{name} is cross", { name }) },
  heart: { picture: "❤️", you: t("You: sends a heart"), spoken: t("{name} sends a heart", { name }) },
  clap: { picture: "👏", you: t("You: claps"), spoken: t("{name} claps", { name }) },
  "thumbs up": { picture: "👍", you: t("You: gives a thumbs up"), spoken: t("{name} gives a thumbs up", { name }) },
  party: { picture: "🎉", you: t("You: celebrates"), spoken: t("{name} celebrates", { name }) },
  sleepy: { picture: "😴", you: t("You: is sleepy"), spoken: t("{name} is sleepy", { name }) },
  luck: { picture: "🍀", you: t("You: wishes luck"), spoken: t("{name} wishes luck", { name }) },
});
