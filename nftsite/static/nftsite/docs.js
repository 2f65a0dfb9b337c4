// Swagger UI tells too little to those who do not see it: its landmarks, headings and selects, as our page needs them.
const box = document.getElementById("swagger-ui");
const mend = () => {
  box.querySelectorAll("main:not([role])").forEach((one) => one.setAttribute("role", "group"));
  box.querySelectorAll("h1:not([aria-level])").forEach((one) => one.setAttribute("aria-level", "3"));
  box.querySelectorAll("select:not([aria-label])").forEach((one) => one.setAttribute("aria-label", one.id || "Value"));
};
new MutationObserver(mend).observe(box, { childList: true, subtree: true });
