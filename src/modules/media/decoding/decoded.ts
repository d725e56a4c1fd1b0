/** What the process that decodes and the service say to each other: plain data, without an import. */

/** Widths of the variants of a picture. One is omitted if the next smaller one is already as wide as the picture. */
export const widths = [400, 800, 1600] as const
export type Width = (typeof widths)[number]

/** Formats of each variant, the smallest files first. */
export const formats = ['avif', 'webp', 'jpeg'] as const
export type Format = (typeof formats)[number]

/** A tall picture is at most so many times as high as its width. */
export const maxHeightRatio = 4

/** Limit for the text of a document, in bytes: some sixty pages. */
export const maxTextBytes = 150_000

export type Variant = { width: Width; format: Format; content: Uint8Array }
/** A picture, or the first page of a document. */
export type Decoded = { width: number; height: number; variants: Variant[]; document?: DecodedDocument }
export type DecodedDocument = { pages: number; text: string }

/** Why a file is refused. */
export type Refusal =
  | 'svg'
  | 'heic'
  | 'tiff'
  | 'unknown'
  | 'animated'
  | 'too_many_pixels'
  | 'damaged'
  | 'infected'
  | 'two_formats'
  | 'pdf_damaged'
  | 'pdf_trailing'
  | 'pdf_password'
  | 'pdf_script'
  | 'pdf_launch'
  | 'pdf_files'
  | 'pdf_media'
  | 'pdf_actions'

export type Reply = { ready: true } | { decoded: Decoded } | { refused: Refusal } | { broken: string }
