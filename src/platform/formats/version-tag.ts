import { invalid, preconditionFailed } from '../errors.ts'

export const versionTag = (version: number): string => `"${version}"`

/**
 * Compares the version of a locked row with `If-Match`. A single record has its version as its ETag; a client
 * that sends it back as `If-Match` gets 412 if the record has changed in between.
 */
export function requireVersion(
  { ifMatch }: { ifMatch: string | null },
  { version }: { version: number },
): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^(W\/)?"\d+"$/.test(tag))) throw invalid('If-Match', noVersion)
  // A proxy that compresses a response weakens its ETag: `W/"3"` is our `"3"`.
  const versions = tags.map((tag) => tag.replace(/^W\//, ''))
  if (!versions.includes(versionTag(version))) throw preconditionFailed()
}

/** Reported so that a client that forgets the quotes does not believe that the record has changed. */
const noVersion = {
  en: 'must be a version in double quotes, as in "3"',
  fr: 'doit être une version entre guillemets droits, comme "3"',
}
