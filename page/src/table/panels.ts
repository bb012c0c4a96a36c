/** What can be opened beside the table. */
import type { IconName } from "../parts/icons.ts";

export type Panel = "log" | "scores" | "rules" | "people" | "talk";

export const PANELS: { panel: Panel; title: string; icon: IconName; key: string }[] = [
  { panel: "people", title: "Table", icon: "people", key: "" },
  { panel: "talk", title: "Talk", icon: "talk", key: "" },
  { panel: "scores", title: "Scores", icon: "scores", key: "P" },
  { panel: "log", title: "Log", icon: "log", key: "L" },
  { panel: "rules", title: "Rules", icon: "book", key: "R" },
];
