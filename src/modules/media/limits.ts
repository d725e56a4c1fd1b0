/** What a phone's camera makes, whole. The browser application sends less. */
export const maxPictureBytes = 12_000_000
export const maxDocumentBytes = 20_000_000
export const maxPixels = 50_000_000

export const pictureFormats = ['JPEG', 'PNG', 'WebP', 'GIF', 'AVIF'] as const

export const maxAlt = 250
export const maxNom = 200
