// Swagger UI weighs two megabytes: it is fetched once its place is scrolled to, or nearly.
const box = document.getElementById("swagger-ui");
const near = new IntersectionObserver((seen) => {
  if (!seen.some((one) => one.isIntersecting)) return;
  near.disconnect();
  const parts = document.getElementById("swagger").content.cloneNode(true);
  parts.querySelectorAll("script").forEach((one) => { one.async = false; }); // one after the other
  document.body.append(parts);
}, { rootMargin: "100px" });
near.observe(box);

// It has the page's main part then, which holds the operations alone: the rest are regions. It tells too little to those who do not see it: headings and selects.
new MutationObserver(() => {
  const ours = document.getElementById("content");
  if (box.querySelector("main")) {
    ours.setAttribute("role", "region");
    ours.setAttribute("aria-label", "Examples");
  }
  for (const [part, name] of [[".information-container", "About the service"], [".scheme-container", "Server and key"]]) {
    box.querySelectorAll(`${part}:not([role])`).forEach((one) => {
      one.setAttribute("role", "region");
      one.setAttribute("aria-label", name);
    });
  }
  box.querySelectorAll("h1:not([aria-level])").forEach((one) => one.setAttribute("aria-level", "3"));
  box.querySelectorAll("select:not([aria-label])").forEach((one) => one.setAttribute("aria-label", one.id || "Value"));
}).observe(box, { childList: true, subtree: true });
