import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { later } from '../../../shell/later.tsx'
import { Unscanned } from '../../../shell/media/unscanned.tsx'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { type Image, lacksDescription, type MediaDeeds, sourceOf } from './picture.ts'
import styles from './pictures.module.css'

const Viewer = later(async () => (await import('./viewer.tsx')).Viewer, { waits: true })

type PicturesProps = { images: readonly Image[]; deeds?: MediaDeeds | null }

/** Pictures of a publication, each with its description; one opens large. */
export function Pictures({ images, deeds = null }: PicturesProps) {
  const words = useTranslations('queue.pictures')
  const [opened, setOpened] = useState<number | null>(null)
  const isAny = images.length > 0
  useShortcuts(words('title'), isAny ? [{ key: 'i', label: words('open'), run: () => setOpened(0) }] : [])
  if (!isAny) return null
  return (
    <>
      <ul className={styles.pictures} aria-label={words('title')}>
        {images.map((image, index) => (
          <li key={image.id}>
            <figure className={styles.picture}>
              <button
                type="button"
                className={styles.open}
                aria-label={words('enlarge', { place: index + 1, count: images.length })}
                onClick={() => setOpened(index)}
              >
                <img
                  src={sourceOf(image, index === 0 ? 800 : 400)}
                  alt={image.alt ?? ''}
                  width={image.width}
                  height={image.height}
                  loading="lazy"
                />
              </button>
              <figcaption>
                {lacksDescription(image) ? (
                  <Badge tone="warn">{words('undescribed')}</Badge>
                ) : (
                  (image.alt ?? words('decorative'))
                )}
                {image.unscanned && <Unscanned />}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
      {opened !== null && (
        <Viewer
          images={images}
          at={Math.min(opened, images.length - 1)}
          deeds={deeds}
          onStep={setOpened}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
