/** As much of the package, which has no types, as the tests use. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
