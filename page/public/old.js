// Before the page itself, in words that the oldest browsers understand: whether this one can show a table.
(function () {
  var shows = window.CSS && CSS.supports && CSS.supports("color", "color-mix(in srgb, red, red)") && CSS.supports("width", "1cqi");
  if (shows && [].toSorted) return;
  document.addEventListener("DOMContentLoaded", function () {
    var line = document.createElement("p");
    line.setAttribute("role", "alert");
    line.style.cssText = "margin: 0; padding: 12px 16px; background: #16191d; color: #fdf9ee; text-align: center";
    line.textContent = "This browser is too old for the tables here. They need Safari 16.2, Firefox 115, Chrome 111 or Edge 111, or newer.";
    document.body.insertBefore(line, document.body.firstChild);
  });
})();
