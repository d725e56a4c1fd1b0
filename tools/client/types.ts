import openapiTypes, { astToString } from 'openapi-typescript'

/** Returns the types of the API's clients, from its OpenAPI document. */
export async function clientTypes(document: string): Promise<string> {
  return astToString(await openapiTypes(withoutFiles(document)))
}

/** Removes CSV responses: the typed client requests JSON and needs no union with a file. */
function withoutFiles(document: string): string {
  return JSON.stringify(JSON.parse(document, (key, value) => (key === 'text/csv' ? undefined : value)))
}
