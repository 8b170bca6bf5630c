"use strict";
// The button with the id `theme` changes the colours of the page: those of the system, light, dark.
{
  const names = ["system", "light", "dark"], button = document.getElementById("theme");
  let now = 0;
  button.addEventListener("click", () => {
    now = (now + 1) % names.length;
    if (now) document.documentElement.dataset.theme = names[now]; else delete document.documentElement.dataset.theme;
    button.textContent = `Colours: ${names[now]}`;
  });
}
