/** Types for the parts of this untyped package that the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
