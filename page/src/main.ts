import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { readInOwnLanguage } from "./reader.ts";
import { filePath } from "./router.svelte.ts";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
void readInOwnLanguage().then(() => mount(App, { target }));

/** The page of a server; one without a server keeps itself when its house is there. Only over https and on this machine do browsers know it; without it they show an error of their own when the line is dead. */
if (import.meta.env.PROD && import.meta.env.MODE !== "static" && "serviceWorker" in navigator) navigator.serviceWorker.register(filePath("sw.js")).catch(() => {});
