// The API reference: the server's own OpenAPI document, rendered, with "try it" and the demo's key filled in.

import SwaggerUi from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./docs.css";
import { apiUrl, getJson, readDemo } from "./api";
import { byId, setText } from "./dom";
import { storedKey } from "./key";

interface OpenApi {
  openapi: string;
  components?: { securitySchemes?: Record<string, { type: string; scheme?: string }> };
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const showTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

async function start(): Promise<void> {
  const spec = await getJson<OpenApi>(apiUrl("openapi.json"), null);
  const key = await keyAtHand();
  const ui = SwaggerUi({
    domNode: byId("reference", HTMLElement),
    spec,
    validatorUrl: null, // the default sends the document to a public service
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    queryConfigEnabled: false, // a link must not be able to load another document
    tryItOutEnabled: false,
    onComplete() {
      if (key !== null) for (const name of bearerSchemes(spec)) ui.preauthorizeApiKey(name, key);
    },
  });
}

/** The demo's client key, or the one typed on the boards page in this tab. */
async function keyAtHand(): Promise<string | null> {
  try {
    return (await readDemo())?.key ?? storedKey();
  } catch {
    return storedKey(); // the reference is readable without a key
  }
}

function bearerSchemes(spec: OpenApi): string[] {
  return Object.entries(spec.components?.securitySchemes ?? {})
    .filter(([, scheme]) => scheme.type === "http" && scheme.scheme?.toLowerCase() === "bearer")
    .map(([name]) => name);
}

showTheme();
dark.addEventListener("change", showTheme);
start().catch((error: unknown) => {
  const notice = byId("notice", HTMLElement);
  setText(notice, `${error instanceof Error ? error.message : String(error)} Load this page again when it is back.`);
  notice.hidden = false;
});
