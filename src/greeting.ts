type Access = {
  /** For the back-office, at the very first start, on a terminal: a log file is no place for it. */
  trialToken: string | null
  /** The service signs tokens itself: otherwise an identity provider does. */
  ownTokens: boolean
}

/**
 * The first lines a person sees: where it answers, where its documentation is, and requests to try as they stand. With
 * a token for the back-office at the very first start, afterwards with the command that lets somebody in.
 */
export function greeting(url: string, { trialToken, ownTokens }: Access): string {
  return `
  Parvis answers at     ${url}
  Documentation         ${url}/docs

  Try:
    curl -H 'X-App-Source: public' '${url}/api/v1/communes?q=chambery'
    curl -H 'X-App-Source: public' '${url}/api/v1/publications'
    curl '${url}/readyz'

${trialToken === null ? howToSignIn(ownTokens) : signedIn(url, trialToken)}
`
}

const howToSignIn = (ownTokens: boolean) =>
  ownTokens
    ? `  For a token of the back-office:
    npm run -s token -- --email admin@example.org --role admin --ttl 8h
`
    : `  To let a user of your identity provider into the back-office, <sub> being what it calls them:
    npm run -s token -- --subject <sub> --role admin
`

const signedIn = (url: string, token: string) => `  The back-office, as admin@example.org for 8 hours:
    curl -H 'X-App-Source: backoffice' -H 'Authorization: Bearer ${token}' '${url}/api/v1/admin/dashboard'
`
