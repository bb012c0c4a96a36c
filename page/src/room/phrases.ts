/** The words of the phrases and the pictures of the reactions, in the reader's language. */
import type { ChatMessage, Reaction } from "../protocol.ts";

type Phrase = NonNullable<ChatMessage["phrase"]>;

export const PHRASES: Record<Phrase, string> = {
  hello: "Hello!", "good luck": "Good luck!", "well played": "Well played!", "good game": "Good game!", thanks: "Thank you!", sorry: "Sorry!",
  oops: "Oops!", "nice one": "Nice one!", "one moment": "One moment, please.", "I am back": "I am back.", "your turn": "It is your turn.", goodbye: "Goodbye!",
};

export const REACTIONS: Record<Reaction["kind"], { picture: string; name: string }> = {
  smile: { picture: "🙂", name: "smiles" }, laugh: { picture: "😂", name: "laughs" }, wow: { picture: "😮", name: "is surprised" },
  think: { picture: "🤔", name: "thinks" }, sad: { picture: "😢", name: "is sad" }, cross: { picture: "😠", name: "is cross" },
  heart: { picture: "❤️", name: "sends a heart" }, clap: { picture: "👏", name: "claps" }, "thumbs up": { picture: "👍", name: "gives a thumbs up" },
  party: { picture: "🎉", name: "celebrates" }, sleepy: { picture: "😴", name: "is sleepy" }, luck: { picture: "🍀", name: "wishes luck" },
};
