import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Soft } from '../../../ui/layout.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { importWordPress, type PagesOfWordPress, pagesQuery } from './queries.ts'

type Checked = { file: File; found: PagesOfWordPress }

/** Takes the export of a WordPress site, shows what would come of it, and brings it as drafts. */
export function ImportWordPress({ communeId }: { communeId: string }) {
  const words = useTranslations('espace.pages.wordpress')
  const ui = useTranslations('ui')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  const [checked, setChecked] = useState<Checked | null>(null)
  const onError = (error: Error) => showFailure(words('failed'), error)
  const checking = useSubmit({
    mutationFn: async (file: File) => ({ file, found: await importWordPress(communeId, file, true) }),
    onSuccess: setChecked,
    onError,
  })
  const applying = useSubmit({
    mutationFn: ({ file }: Checked) => importWordPress(communeId, file, false),
    onSuccess: async ({ created }) => {
      await client.refetchQueries(pagesQuery(communeId))
      setChecked(null)
      showToast({ title: words('applied', { count: created }) })
    },
    onError,
  })
  const close = () => setChecked(null)
  const take = (file: File | undefined) => {
    if (file !== undefined) checking.submit(file)
  }
  return (
    <>
      <FileTrigger
        acceptedFileTypes={['.xml', 'text/xml', 'application/xml']}
        onSelect={(files) => take(files?.[0])}
      >
        <Button isPending={checking.isPending}>{words('title')}</Button>
      </FileTrigger>
      <Dialog
        wide
        title={words('title')}
        isOpen={checked !== null}
        onClose={close}
        actions={
          checked !== null &&
          checked.found.created > 0 && (
            <>
              <Button onPress={close}>{ui('cancel')}</Button>
              <Button look="primary" isPending={applying.isPending} onPress={() => applying.submit(checked)}>
                {words('apply', { count: checked.found.created })}
              </Button>
            </>
          )
        }
      >
        {checked !== null && <FoundPages found={checked.found} />}
      </Dialog>
    </>
  )
}

const tones = { created: 'good', exists: 'plain', skipped: 'warn' } as const

function FoundPages({ found: { pages, created, images, image_servers } }: { found: PagesOfWordPress }) {
  const words = useTranslations('espace.pages.wordpress')
  const noteOf = useNotes(pages)
  return (
    <>
      <p>{words('found', { count: created })}</p>
      {images > 0 && (
        <Soft>{words('images', { count: images, servers: image_servers.join(', ') || '?' })}</Soft>
      )}
      <Lines label={words('pages')}>
        {pages.map((page, index) => (
          <OneLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may give several pages one number.
            key={index}
            icon={page.parent_slug === null ? 'document' : 'right'}
            title={page.title || words('untitled')}
            badge={<Badge tone={tones[page.result]}>{words(`results.${page.result}`)}</Badge>}
            note={noteOf(page)}
          />
        ))}
      </Lines>
    </>
  )
}

/** Returns a function that tells what becomes of a page in one line. */
function useNotes(pages: PagesOfWordPress['pages']) {
  const words = useTranslations('espace.pages.wordpress')
  const space = useTranslations('espace.pages')
  return (page: PagesOfWordPress['pages'][number]): string => {
    if (page.reason !== null) return words(`reasons.${page.reason}`)
    const above = pages.find(({ slug }) => slug !== null && slug === page.parent_slug)
    const title = above?.title ?? page.parent_slug
    const removed = page.markup + page.shortcodes
    return [
      title === null ? space('top') : space('below', { title }),
      ...page.notes.map((note) => words(`notes.${note}`)),
      ...(removed > 0 ? [words('removed', { count: removed })] : []),
      ...(page.images > 0 ? [words('left', { count: page.images })] : []),
    ].join(' · ')
  }
}
