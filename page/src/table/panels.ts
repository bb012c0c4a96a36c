/** What can be opened beside the table. */
import { t } from "../language.svelte.ts";
import type { IconName } from "../parts/icons.ts";

export type Panel = "log" | "scores" | "rules" | "people" | "talk";

export interface PanelInfo {
  panel: Panel;
  title: string;
  icon: IconName;
  key: string;
}

export const allPanels = (): PanelInfo[] => [
  { panel: "people", title: t("Table"), icon: "people", key: "" },
  { panel: "talk", title: t("Talk"), icon: "talk", key: "" },
  { panel: "scores", title: t("Scores"), icon: "scores", key: "P" },
  { panel: "log", title: t("Log"), icon: "log", key: "L" },
  { panel: "rules", title: t("Rules"), icon: "book", key: "R" },
];
