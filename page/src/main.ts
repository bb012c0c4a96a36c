import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";

if (import.meta.env.DEV && new URLSearchParams(location.search).has("mock")) {
  const { pretend } = await import("../dev/mock.ts");
  pretend();
}

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
mount(App, { target });
