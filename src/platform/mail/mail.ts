export type Mail = {
  /** `<left@right>`, made by the caller and the same at every try. */
  messageId: string
  to: string
  subject: string
  text: string
  /** The same for readers who show HTML. */
  html?: string
  inReplyTo?: string
  references?: string[]
  replyTo?: string
}

/**
 * What is known of a message after a try. `failed`: surely not accepted; `retry` says whether a later try may
 * go through. `uncertain`: the server had the whole message and never answered, so a second try might deliver it
 * twice. `error` is one line without mail addresses.
 */
export type MailOutcome =
  | { status: 'sent' }
  | { status: 'failed'; retry: boolean; error: string }
  | { status: 'uncertain'; error: string }

/** A server's answer is foreign text that often quotes the recipient: one bounded line, addresses left out. */
export function describeMailError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .slice(0, 1_000)
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[^\s<>"'(),:;]+@[^\s<>"'(),;]+/g, '(address)')
    .slice(0, 300)
}
