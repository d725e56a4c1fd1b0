import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { saveNewest } from '../../../shell/editing/save.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Lines, OneLine } from '../../../ui/lines.tsx'
import { Section } from '../../../ui/page.tsx'
import { RichText } from '../../../ui/rich-text.tsx'
import { Ago } from '../../../ui/time.tsx'
import { showToast } from '../../../ui/toast.tsx'
import styles from './pages.module.css'
import { type CommunePage, pageQuery, putPage, restoreVersion, versionsQuery } from './queries.ts'

/** Former titles and texts of a page, which can be brought back. Absent while there is none. */
export function PageVersions({ page }: { page: CommunePage }) {
  const words = useTranslations('espace.pages')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const { data: versions = [] } = useQuery(versionsQuery(page.commune_id, page.id))
  const restoring = useSubmit({
    mutationFn: (versionId: string) =>
      saveNewest(client, pageQuery(page.commune_id, page.id), (now) => restoreVersion(now, versionId)),
    onSuccess: (saved) => {
      putPage(saved)
      showToast({ title: words('restored') })
    },
    onError: (error) => showFailure(words('notRestored'), error),
  })
  if (versions.length === 0) return null
  return (
    <Section title={words('versions')}>
      <Lines label={words('versions')}>
        {versions.map((version) => (
          <OneLine
            key={version.id}
            icon="history"
            title={version.title}
            note={words.rich('replaced', { at: () => <Ago at={version.replaced_at} /> })}
            actions={
              version.can.includes('restore') && (
                <Button small isDisabled={restoring.isPending} onPress={() => restoring.submit(version.id)}>
                  {words('restoreVersion')}
                </Button>
              )
            }
          >
            {version.body !== '' && (
              <details className={styles.former}>
                <summary>{words('showText')}</summary>
                <RichText html={version.body} />
              </details>
            )}
          </OneLine>
        ))}
      </Lines>
    </Section>
  )
}
