import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { DescriptionFields, descriptionOf } from '../../../shell/media/media-row.tsx'
import { mediaQuery } from '../../../shell/media/queries.ts'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { type Image, lacksDescription, type MediaDeeds, sourceOf } from './picture.ts'
import styles from './pictures.module.css'
import { RemoveMedia } from './remove-media.tsx'

type ViewerProps = {
  images: readonly Image[]
  at: number
  deeds: MediaDeeds | null
  onStep: (to: number) => void
  onClose: () => void
}

/** Dialog with one picture, large: keys step through the others and zoom; its description is beside it. */
export function Viewer({ images, at, deeds, onStep, onClose }: ViewerProps) {
  const words = useTranslations('queue.pictures')
  const [isZoomed, setZoomed] = useState(false)
  const image = images[at] as Image
  const place = { place: at + 1, count: images.length }
  const step = (by: 1 | -1) => {
    const to = at + by
    if (to < 0 || to >= images.length) return
    setZoomed(false)
    onStep(to)
  }
  useShortcuts(
    words('title'),
    [
      { key: 'ArrowRight', label: words('next'), run: () => step(1), repeats: true },
      { key: 'ArrowLeft', label: words('previous'), run: () => step(-1), repeats: true },
      { key: 'z', label: words('zoom'), run: () => setZoomed(!isZoomed) },
    ],
    { isDialog: true },
  )
  return (
    <Dialog
      full
      title={words('place', place)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button aria-pressed={isZoomed} shortcut="z" onPress={() => setZoomed(!isZoomed)}>
            {words('zoom')}
          </Button>
          <Button icon="back" isDisabled={at === 0} onPress={() => step(-1)}>
            {words('previous')}
          </Button>
          <Button icon="right" isDisabled={at === images.length - 1} onPress={() => step(1)}>
            {words('next')}
          </Button>
        </>
      }
    >
      <div className={styles.viewer}>
        <div
          className={cx(styles.stage, isZoomed && styles.zoomed)}
          data-scrolls-sideways
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a zoomed picture is scrolled by keys
          tabIndex={0}
        >
          <img
            key={image.id}
            src={sourceOf(image, 1600)}
            alt={image.alt ?? ''}
            width={image.width}
            height={image.height}
          />
        </div>
        <div className={styles.beside} key={image.id}>
          {deeds === null ? (
            <p>{lacksDescription(image) ? words('undescribed') : (image.alt ?? words('decorative'))}</p>
          ) : (
            <>
              <Describe image={image} />
              <RemoveMedia
                kind="image"
                id={image.id}
                deeds={deeds}
                onRemoved={() => images.length === 1 && onClose()}
              />
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Describe({ image }: { image: Image }) {
  const { data } = useQuery(mediaQuery(image.id))
  return <DescriptionFields token={image.id} stored={descriptionOf(data ?? image)} error={null} />
}
