/** How the levels of computer players are called within a sentence. */
import { t } from "../language.svelte.ts";

export function levelName(level: string | null): string {
  const names: Record<string, string> = { easy: t("easy"), casual: t("casual"), medium: t("medium"), strong: t("strong"), expert: t("expert") };
  return names[level ?? ""] ?? level ?? "";
}
