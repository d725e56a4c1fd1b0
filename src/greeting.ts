/**
 * The first lines a person sees: where it answers, where its documentation is, and requests to try as they stand. With
 * a token for the back-office at the very first start, afterwards with the command that makes one.
 */
export function greeting(url: string, token: string | null): string {
  return `
  Parvis answers at     ${url}
  Documentation         ${url}/docs

  Try:
    curl -H 'X-App-Source: public' '${url}/api/v1/communes?q=chambery'
    curl -H 'X-App-Source: public' '${url}/api/v1/publications'
    curl '${url}/readyz'

${token === null ? howToEnter : enter(url, token)}
`
}

const howToEnter = `  For a token of the back-office:
    npm run -s token -- --email admin@example.org --role admin --ttl 8h
`

const enter = (url: string, token: string) => `  The back-office, as admin@example.org for 8 hours:
    curl -H 'X-App-Source: backoffice' -H 'Authorization: Bearer ${token}' '${url}/api/v1/admin/dashboard'
`
