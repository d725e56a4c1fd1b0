/**
 * The reason why a request failed. The message contains no address, so it may be shown to the person who
 * typed the URL.
 */
export class FetchFailed extends Error {
  readonly reason: FetchFailure

  constructor(reason: FetchFailure, cause?: unknown) {
    super(sentences[reason], cause === undefined ? undefined : { cause })
    this.name = 'FetchFailed'
    this.reason = reason
  }
}

export type FetchFailure = keyof typeof sentences

const sentences = {
  bad_url: 'The address must be an http or https URL without a user name or password.',
  private_address: 'The address leads to a private or reserved network, which is not allowed.',
  bad_redirect: 'The server redirects to something that is not an http or https URL.',
  insecure_redirect: 'The server redirects from https to http, which is not followed.',
  too_many_redirects: 'The server redirects too many times.',
  dns: 'The host name could not be found.',
  connection: 'The connection to the server failed or was cut.',
  tls: 'A secure connection to the server could not be established.',
  timeout: 'The server did not answer in full within the time limit.',
  too_large: 'The answer is larger than the size limit.',
  bad_encoding: 'The answer could not be decompressed.',
  bad_response: 'The server did not answer with valid HTTP.',
  aborted: 'The request was stopped before its end.',
} as const
