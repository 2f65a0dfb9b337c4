// Swagger UI draws a `main` of its own; here it stands within that of our page, which may have only one.
const asPart = (node) => {
  if (Array.isArray(node)) return node.map(asPart);
  if (!node || !node.props) return node;
  const { children } = node.props;
  return { ...node, type: node.type === "main" ? "div" : node.type, props: { ...node.props, children: asPart(children) } };
};
SwaggerUIBundle.presets.apis = [SwaggerUIBundle.presets.apis, {
  wrapComponents: { BaseLayout: (Original) => class extends Original { render() { return asPart(super.render()); } } },
}];
