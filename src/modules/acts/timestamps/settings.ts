import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { must, type Parse, type Settings } from '../../../platform/config/settings.ts'
import { StartError } from '../../../platform/config/start-error.ts'

/** The authority that timestamps seals, and the certificates that its replies must lead to. */
export type Authority = { url: string; pem: string; roots: X509Certificate[] }

export const timestampSettings = {
  name: 'timestamps',
  read(read) {
    const url = read.optional('TSA_URL', httpUrl)
    const trusted = read.optional('TSA_CA_FILE', certificates)
    if ((url === null) !== (trusted === null))
      throw new StartError('TSA_URL and TSA_CA_FILE must be set together.')
    return { authority: url === null || trusted === null ? null : { url, ...trusted } }
  },
} satisfies Settings<{ authority: Authority | null }>

const httpUrl: Parse<string> = (value) => {
  const url = URL.parse(value)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw must('an http or https URL')
  return url.href
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns the certificates in a text, each as PEM. */
export const certificateBlocks = (text: string): string[] => text.match(block) ?? []

const certificates: Parse<Omit<Authority, 'url'>> = (file) => {
  try {
    const blocks = certificateBlocks(readFileSync(file, 'utf8'))
    const roots = blocks.map((each) => new X509Certificate(each))
    if (roots.length > 0) return { roots, pem: `${blocks.join('\n')}\n` }
  } catch {
    // As a file without any.
  }
  throw must('a file of certificates in PEM')
}
