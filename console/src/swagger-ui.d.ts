// The part of Swagger UI this page calls; the package brings no types.
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export interface SwaggerUi {
    preauthorizeApiKey(schemeName: string, key: string): void;
  }

  export interface SwaggerUiOptions {
    domNode: Element;
    spec: object;
    validatorUrl: null;
    deepLinking: boolean;
    docExpansion: "list" | "full" | "none";
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    persistAuthorization: boolean;
    queryConfigEnabled: boolean;
    tryItOutEnabled: boolean;
    onComplete: () => void;
  }

  const create: (options: SwaggerUiOptions) => SwaggerUi;
  export default create;
}

declare module "*.css";
