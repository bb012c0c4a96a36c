import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";

if (import.meta.env.DEV && location.href.includes("mock")) {
  const { pretend } = await import("../dev/mock.ts");
  pretend();
}

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
mount(App, { target });
