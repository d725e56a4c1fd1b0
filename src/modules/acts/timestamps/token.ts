import { createHash, createVerify, randomBytes, X509Certificate } from 'node:crypto'
import { ContentInfo, id_signedData, SignedData, type SignerInfo } from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { id_ct_tstInfo, MessageImprint, TimeStampReq, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'

/**
 * Requests and replies of RFC 3161: a third party signs that it has seen a digest at some moment. A reply is believed if it is about
 * this request, and if its signature leads to one of the certificates that the operator trusts.
 */

const id_sha256 = '2.16.840.1.101.3.4.2.1'
const id_messageDigest = '1.2.840.113549.1.9.4'
const id_contentType = '1.2.840.113549.1.9.3'
/** `id_ct_tstInfo`, encoded. */
const tstInfoAsDer = Buffer.from('060b2a864886f70d0109100104', 'hex')
const id_kp_timeStamping = '1.3.6.1.5.5.7.3.8'

const hashes: Record<string, string> = {
  [id_sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

export type TimestampRequest = { digest: Buffer; nonce: Buffer }

export function requestFor(digest: Buffer): TimestampRequest & { der: Buffer } {
  const nonce = randomBytes(8)
  // A positive number, whose encoding has no zeros before it.
  nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x40
  const request = new TimeStampReq({
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: id_sha256, parameters: null }),
      hashedMessage: new OctetString(digest),
    }),
    nonce: arrayBufferOf(nonce),
    certReq: true,
  })
  return { digest, nonce, der: Buffer.from(AsnConvert.serialize(request)) }
}

export type Timestamp = { at: Date; authority: string }

/** Clocks may differ by so much. */
const toleranceMs = 10 * 60_000

/** Returns when the authority saw the digest, and its name. Throws an error that says why a reply is not believed. */
export function readReply(
  der: Buffer,
  { digest, nonce }: TimestampRequest,
  { roots, now }: { roots: readonly X509Certificate[]; now: Date },
): Timestamp {
  const { nonce: answered, ...timestamp } = readToken(der, digest, roots)
  if (!answered?.equals(nonce)) refuse('it answers another request')
  if (Math.abs(timestamp.at.getTime() - now.getTime()) > toleranceMs)
    refuse(`its time is ${timestamp.at.toISOString()}`)
  return timestamp
}

/** Reads a reply about a digest, whatever its age: a stored one too. */
export function readToken(
  der: Buffer,
  digest: Buffer,
  roots: readonly X509Certificate[],
): Timestamp & { nonce: Buffer | null } {
  const signed = tokenOf(der)
  const content = Buffer.from(signed.encapContentInfo.eContent?.single?.buffer ?? refuse('it has no content'))
  const info = AsnConvert.parse(content, TSTInfo)
  const { hashAlgorithm, hashedMessage } = info.messageImprint
  const isAboutDigest =
    hashAlgorithm.algorithm === id_sha256 && Buffer.from(hashedMessage.buffer).equals(digest)
  if (!isAboutDigest) refuse('it is about another digest')
  const signer = findSigner(signed, content)
  requireTrust(signer, certificatesOf(signed), roots, info.genTime)
  const nonce = info.nonce === undefined ? null : Buffer.from(info.nonce)
  return { at: info.genTime, authority: nameOf(signer), nonce }
}

function tokenOf(der: Buffer): SignedData {
  const { status, timeStampToken } = AsnConvert.parse(der, TimeStampResp)
  // `granted` is 0, `granted with modifications` 1.
  if (status.status > 1 || timeStampToken === undefined)
    refuse(`the authority refused: status ${status.status} ${status.statusString?.join(' ') ?? ''}`.trim())
  const { contentType, content } = AsnConvert.parse(AsnConvert.serialize(timeStampToken), ContentInfo)
  if (contentType !== id_signedData) refuse('it is not signed')
  const signed = AsnConvert.parse(content, SignedData)
  if (signed.encapContentInfo.eContentType !== id_ct_tstInfo) refuse('it is no timestamp')
  return signed
}

const certificatesOf = ({ certificates = [] }: SignedData): X509Certificate[] =>
  [...certificates].flatMap(({ certificate }) =>
    certificate === undefined ? [] : [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))],
  )

/** Returns the certificate whose key signed the content. */
function findSigner(signed: SignedData, content: Buffer): X509Certificate {
  const [info, ...others] = signed.signerInfos
  if (info === undefined || others.length > 0) refuse('it has not one signature')
  const { hash, attributes } = signedAttributesOf(info, content)
  const signature = Buffer.from(info.signature.buffer)
  const isBy = ({ publicKey }: X509Certificate) =>
    createVerify(hash).update(attributes).verify(publicKey, signature)
  return certificatesOf(signed).find(isBy) ?? refuse('no certificate in it verifies its signature')
}

/** Returns what the signature covers: attributes, which name the digest of the content. */
function signedAttributesOf(info: SignerInfo, content: Buffer): { hash: string; attributes: Buffer } {
  const hash = hashes[info.digestAlgorithm.algorithm] ?? refuse('its digest is of an unknown kind')
  const attributeOf = (type: string) =>
    Buffer.from(
      info.signedAttrs?.find(({ attrType }) => attrType === type)?.attrValues[0] ??
        refuse(`it has no ${type}`),
    )
  const digest = createHash(hash).update(content).digest()
  if (!attributeOf(id_messageDigest).equals(asDer(0x04, digest)))
    refuse('its signature is of another content')
  if (!attributeOf(id_contentType).equals(tstInfoAsDer)) refuse('its signature is of another kind')
  // Signed is the set of them, in their order.
  const each = (info.signedAttrs ?? []).map((attribute) => Buffer.from(AsnConvert.serialize(attribute)))
  return { hash, attributes: asDer(0x31, Buffer.concat(each)) }
}

/** Encodes a value with its tag and its length. */
function asDer(tag: number, value: Buffer): Buffer {
  const { length } = value
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

const longestPath = 6

/** Requires that the signer may sign timestamps, and that its certificates lead to a root. */
function requireTrust(
  signer: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  at: Date,
): void {
  if (!signer.keyUsage?.includes(id_kp_timeStamping)) refuse('its certificate is not for timestamps')
  let current = signer
  for (let length = 0; length < longestPath; length++) {
    if (at < current.validFromDate || at > current.validToDate) refuse('a certificate was not valid')
    const isIssuer = (issuer: X509Certificate) =>
      current.checkIssued(issuer) && current.verify(issuer.publicKey)
    const isRoot = ({ fingerprint256 }: X509Certificate) => fingerprint256 === current.fingerprint256
    if (roots.some(isRoot) || roots.some((root) => root.ca && isIssuer(root))) return
    current =
      others.find((one) => one.ca && one !== current && isIssuer(one)) ?? refuse('nobody trusted signed it')
  }
  refuse('its certificates lead nowhere')
}

/** Returns the common name of a certificate, or all of its subject. */
const nameOf = ({ subject }: X509Certificate): string =>
  (/^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')).slice(0, 200)

const arrayBufferOf = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

function refuse(why: string): never {
  throw new Error(`The timestamp is not believed: ${why}.`)
}
