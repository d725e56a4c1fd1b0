import type { JobsRole } from './platform/config/config.ts'

type Access = {
  /** Back-office token, shown at the first start on a terminal; it must not reach a log file. */
  trialToken: string | null
  /** Back-office link for a browser, which signs in once. */
  trialLink?: string | null
  /** True when the service signs tokens itself instead of an identity provider. */
  ownTokens: boolean
  /** Folder of the mails, while they are written as files. */
  outbox?: string | null
  jobs?: JobsRole
  docs?: boolean
  /** False for a release, which is started without npm and may run where there is none. */
  hasNpm?: boolean
}

/**
 * Returns the banner printed at the start: address, documentation and requests to try. The first start
 * includes a back-office token, later ones the command that issues one.
 */
export function greeting(
  url: string,
  { trialToken, trialLink = null, ownTokens, outbox = null, jobs = 'on', docs = true, hasNpm = true }: Access,
): string {
  if (jobs === 'only') return onlyJobs(url)
  return `
  Parvis answers at     ${url}${
    docs
      ? `
  Documentation         ${url}/docs`
      : ''
  }${
    outbox === null
      ? ''
      : `
  Mails                 no mail server is set (MAIL_URL): they are files in
                        ${outbox}`
  }

  Try:
    curl -H 'X-App-Source: public' '${url}/api/v1/communes?q=chambery'
    curl -H 'X-App-Source: public' '${url}/api/v1/publications'
    curl '${url}/readyz'

${trialLink === null ? '' : signInLink(trialLink)}${trialToken === null ? howToSignIn(ownTokens, hasNpm) : signedIn(url, trialToken)}
`
}

const onlyJobs = (url: string) => `
  Parvis answers at     ${url}

  It runs jobs only (JOBS=only), and serves /healthz and /readyz.

`

const signInLink = (link: string) => `  Open the back-office in a browser, within 30 minutes:
    ${link}

`

function howToSignIn(ownTokens: boolean, hasNpm: boolean): string {
  const command = (name: string) => (hasNpm ? `npm run -s ${name} --` : `bin/node bin/parvis-cli.js ${name}`)
  if (!ownTokens)
    return `  To let a user of your identity provider into the back-office, <sub> being what it calls them:
    ${command('token')} --subject <sub> --role admin
`
  return `  For a link that opens the back-office in a browser:
    ${command('sign-in')} --email admin@example.org --role admin

  For a token of the back-office:
    ${command('token')} --email admin@example.org --role admin --ttl 8h
`
}

const signedIn = (url: string, token: string) => `  The back-office, as admin@example.org for 8 hours:
    curl -H 'X-App-Source: backoffice' -H 'Authorization: Bearer ${token}' '${url}/api/v1/admin/dashboard'
`
