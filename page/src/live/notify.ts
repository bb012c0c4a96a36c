/** A word to a person who looks at something else, where the browser has been allowed to give it. */
import { filePath } from "../router.svelte.ts";

/** Says it until what is returned is called; of one `tag` only the last is seen. */
export function notify(title: string, body: string, tag: string): (() => void) | undefined {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return undefined;
  const how = { body, tag, renotify: true, icon: filePath("icon-192.png") };
  try {
    const told = new Notification(title, how);
    told.onclick = () => (window.focus(), told.close());
    return () => told.close();
  } catch { // telephones give it through the page's worker only
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, how));
    return () => void navigator.serviceWorker?.ready.then((worker) => worker.getNotifications({ tag })).then((all) => all.forEach((one) => one.close()));
  }
}
