import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, got } from '../../../api/client.ts'
import { messageFor, wasSentBefore } from '../../../api/failure.ts'
import { acteurChoices, communeChoices } from '../../../shell/choices/choices.ts'
import { SearchCombo } from '../../../shell/choices/search-combo.tsx'
import { parseDraft, useChangesElsewhere, useDraft } from '../../../shell/drafts.ts'
import { useSubmit } from '../../../shell/editing/use-submit.ts'
import { NotSent } from '../../../shell/media/uploads.ts'
import { useShortcuts } from '../../../shell/navigation/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Choice } from '../../../ui/combo.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { Form } from '../../../ui/form.tsx'
import { momentOf } from '../../../ui/moment-field.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Select } from '../../../ui/select.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useFirstWrong } from '../../../ui/use-first-wrong.ts'
import { changesOf } from './changes.ts'
import { type Content, contentNames, emptyContent } from './content.ts'
import { ContentFields, isToldByFields, LinkFields, MediaFields, mediaNames } from './fields.tsx'
import { draftNameOf, emptyDraft, type NewDraft } from './new-draft.ts'
import { Preview } from './preview.tsx'
import { sentMedia } from './sent-media.ts'
import styles from './writing.module.css'

const formId = 'publication'

const named = [...contentNames, ...mediaNames, 'acteur_id', 'commune_id', 'publie_le']

/** An acteur of the user: `communes` are those that a mairie acts for. */
type OwnActeur = { id: string; nom: string; canPublish: boolean; communes: readonly Choice[] }

type NewProps = {
  /** The acteur that a member writes for; null: an administrator chooses one. */
  own: OwnActeur | null
  back?: ReactNode
}

/** Form of a new publication, with its preview. */
export function NewPublication({ own, back }: NewProps) {
  const words = useTranslations('writing')
  const navigate = useNavigate()
  const client = useQueryClient()
  const name = draftNameOf(own?.id ?? null)
  const [stored, store, clear] = useDraft(name)
  const changes = useChangesElsewhere(name)
  const [fresh, setFresh] = useState(emptyDraft)
  const draft = parseDraft<NewDraft>(stored) ?? fresh
  const acteur = own ?? draft.acteur
  const change = (changed: Partial<NewDraft>) => store(JSON.stringify({ ...draft, ...changed }))
  const { commune, at } = draft
  // A draft from another version of the application may lack fields.
  const content = { ...emptyContent, ...draft.content }
  const changeContent = (changed: Partial<Content>) => change({ content: { ...content, ...changed } })
  const mayChooseTime = own === null || own.canPublish
  const sending = useSubmit({
    mutationFn: async () => {
      const sent = await sentMedia(content)
      const publie_le = at === '' || !mayChooseTime ? null : (momentOf(at)?.toISOString() ?? at)
      return createPublication(draft.key, {
        ...{ content: { ...content, ...sent }, publie_le },
        acteur: acteur?.id ?? null,
        commune: commune?.id ?? null,
      })
    },
    onError: (error) => {
      if (wasSentBefore(error)) change({ key: crypto.randomUUID() })
    },
    onSuccess: async (made) => {
      clear()
      for (const queryKey of [['publications'], ['dashboard']]) void client.invalidateQueries({ queryKey })
      showToast({ title: words(`written.${made.moderation_status}`, { titre: made.titre }) })
      if (own === null) await navigate({ to: '/publications/$id', params: { id: made.id } })
      else
        await navigate({
          to: '/espace/$acteurId/publications/$id',
          params: { acteurId: own.id, id: made.id },
        })
    },
  })
  const { error } = sending
  const form = useFirstWrong(error)
  const wrong = (name: string) => messageFor(error, name)
  const drop = () => {
    clear()
    sending.reset()
    setFresh(emptyDraft())
  }
  useShortcuts(words('newTitle'), [
    { key: 'Enter', withControl: true, label: words('send'), run: sending.submit },
  ])
  const action = at !== '' && mayChooseTime ? 'schedule' : acteur?.canPublish ? 'publish' : 'submit'
  return (
    <Page title={words('newTitle')} back={back}>
      <div className={styles.split}>
        <Form
          isSaving={sending.isPending}
          id={formId}
          ref={form}
          className={styles.form}
          onSubmit={sending.submit}
        >
          {changes > 0 && stored !== '' && <Notice title={words('otherTab')} />}
          {error !== null && !(error instanceof NotSent) && !isToldByFields(error, named) && (
            <ShownFailure error={error} onRetry={sending.submit} />
          )}
          {own === null ? (
            <>
              <SearchCombo
                key={`acteur ${draft.key} ${changes}`}
                label={words('acteur')}
                isRequired
                search={(q) => acteurChoices(q, { valide: [true], active: [true] })}
                chosen={draft.acteur}
                onChoose={(chosen) => change({ acteur: chosen })}
                error={wrong('acteur_id')}
              />
              <SearchCombo<Choice>
                key={`commune ${draft.key} ${changes}`}
                label={words('commune')}
                help={words('communeHelp')}
                search={communeChoices}
                chosen={commune}
                onChoose={(chosen) => change({ commune: chosen })}
                error={wrong('commune_id')}
              />
            </>
          ) : (
            <OwnCommune
              communes={own.communes}
              chosen={commune}
              onChoose={(chosen) => change({ commune: chosen })}
            />
          )}
          <ContentFields
            editorKey={`${draft.key} ${changes}`}
            content={content}
            onChange={changeContent}
            error={error}
            communeId={commune?.id ?? own?.communes[0]?.id}
            media={
              <MediaFields content={content} onChange={changeContent} error={error} acteurId={acteur?.id} />
            }
          />
          <LinkFields content={content} onChange={changeContent} error={error} />
          {mayChooseTime && (
            <DateField
              withTime
              label={words('at')}
              help={words('atHelp')}
              value={at}
              onChange={(value) => change({ at: value })}
              error={wrong('publie_le')}
            />
          )}
          <p className={styles.state}>{words(`outcome.${action}`)}</p>
          <div className={styles.ways}>
            <Button look="primary" type="submit" isPending={sending.isPending}>
              {words(`action.${action}`)}
            </Button>
            {stored !== '' && (
              <Button look="quiet" onPress={drop}>
                {words('dropNew')}
              </Button>
            )}
          </div>
        </Form>
        <Preview content={content} acteur={acteur?.nom ?? null} />
      </div>
    </Page>
  )
}

type OwnCommuneProps = {
  communes: readonly Choice[]
  chosen: Choice | null
  onChoose: (commune: Choice | null) => void
}

/** Choice of commune for a mairie that acts for several; hidden for all others. */
function OwnCommune({ communes, chosen, onChoose }: OwnCommuneProps) {
  const words = useTranslations('writing')
  if (communes.length < 2) return null
  return (
    <Select
      label={words('commune')}
      value={chosen?.id ?? 'own'}
      onChange={(id) => onChoose(communes.find((commune) => commune.id === id) ?? null)}
      options={[
        { value: 'own', label: words('ownCommune') },
        ...communes.map(({ id, nom }) => ({ value: id, label: nom })),
      ]}
    />
  )
}

type Creation = {
  content: Content
  acteur: string | null
  commune: string | null
  publie_le: string | null
}

/** Creates a publication. `key`: idempotency key, so that a retry does not create a second one. */
async function createPublication(key: string, { content, acteur, commune, publie_le }: Creation) {
  const { title, body } = content
  const params = { header: { 'Idempotency-Key': key } }
  const given = {
    ...(acteur !== null && { acteur_id: acteur }),
    title,
    body,
    ...changesOf(content, { ...emptyContent, title, body }),
    ...(commune !== null && { commune_id: commune }),
    ...(publie_le !== null && { publie_le }),
  }
  return (await got(api.POST('/api/v1/publications', { params, body: given as never }))).data
}
