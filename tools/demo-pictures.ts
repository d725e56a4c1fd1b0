import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { fileOf, folder, sizes } from '../demo/pictures.ts'

/** Encodes the drawings of the demo content as uploads are, so that a first start has nothing to encode. */

for (const file of readdirSync(folder).filter((name) => name.endsWith('.svg'))) {
  const name = file.replace('.svg', '')
  mkdirSync(new URL(`${name}/`, folder), { recursive: true })
  for (const width of sizes) {
    const drawing = sharp(new URL(file, folder).pathname).resize({ width })
    const encoded = {
      avif: drawing.clone().avif({ quality: 50 }),
      webp: drawing.clone().webp({ quality: 75 }),
      jpeg: drawing.clone().jpeg({ quality: 78, progressive: true }),
    }
    for (const format of ['avif', 'webp', 'jpeg'] as const)
      writeFileSync(fileOf(name, width, format), await encoded[format].toBuffer())
  }
}
