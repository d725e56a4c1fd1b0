import { useTranslations } from 'use-intl'
import { maxDocuments, maxImages } from '../../../../../src/modules/publications/fields.ts'
import { saveDescriptions } from '../../../shell/media/descriptions.ts'
import { MediaField } from '../../../shell/media/media-field.tsx'
import { NotSentNotice } from '../../../shell/media/not-sent.tsx'
import { idsIn } from '../../../shell/media/tokens.ts'
import { untilSent } from '../../../shell/media/uploads.ts'
import { useFieldLabels } from '../../../shell/records/publication-fields.ts'
import type { CommunePage } from './queries.ts'
import type { Typed } from './typed.ts'

type Files = Pick<Typed, 'images' | 'documents'>

/** Waits for the files of a page that are on their way, and saves what was typed about them. */
export async function sentFiles(typed: Files): Promise<Files> {
  const [images, documents] = await Promise.all([untilSent(typed.images), untilSent(typed.documents)])
  await saveDescriptions([...idsIn(images), ...idsIn(documents)])
  return { images, documents }
}

type FilesProps = {
  typed: Files
  onChange: (changed: Partial<Files>) => void
  error: unknown
  acteurId: string
  page: CommunePage | null
  mayAdd: boolean
}

/** Pictures and documents of a page. */
export function PageFiles({ typed, onChange, page, ...props }: FilesProps) {
  const words = useTranslations('writing')
  const labelOf = useFieldLabels()
  return (
    <>
      <NotSentNotice error={props.error} />
      <MediaField
        kind="image"
        label={labelOf('images')}
        help={words('imagesHelp')}
        takesPasted
        name="images"
        max={maxImages}
        value={typed.images}
        onChange={(images) => onChange({ images })}
        known={page?.images ?? []}
        {...props}
      />
      <MediaField
        kind="document"
        label={labelOf('documents')}
        help={words('documentsHelp')}
        name="documents"
        max={maxDocuments}
        value={typed.documents}
        onChange={(documents) => onChange({ documents })}
        known={page?.documents ?? []}
        {...props}
      />
    </>
  )
}
