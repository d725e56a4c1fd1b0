import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useChangesElsewhere, useDraft } from '../../../shell/drafts.ts'
import { canWriteForAll, writableActeurs } from '../../../shell/screens.ts'
import { useShortcuts } from '../../../shell/shortcuts.tsx'
import { ShownFailure } from '../../../shell/shown-failure.tsx'
import { Button } from '../../../ui/button.tsx'
import { Combo } from '../../../ui/combo.tsx'
import { TextField } from '../../../ui/field.tsx'
import { momentOf } from '../../../ui/moment.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { Select } from '../../../ui/select.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { type Content, contentNames } from './content.ts'
import { read } from './draft.ts'
import { ContentFields, errorOf, isToldByFields, useFirstWrong } from './fields.tsx'
import { Preview } from './preview.tsx'
import {
  type ActeurChoice,
  type Choice,
  create,
  type Search,
  searchActeurs,
  searchCommunes,
} from './queries.ts'
import styles from './writing.module.css'

const route = getRouteApi('/signed-in/publications/new')
const formId = 'publication'

type Draft = {
  /** Idempotency key, kept across retries. */
  key: string
  content: Content
  acteur: ActeurChoice | null
  commune: Choice | null
  source_url: string
  image_url: string
  /** Value of the field for the time of publication. */
  at: string
}
const empty = (): Draft => ({
  key: crypto.randomUUID(),
  content: Object.fromEntries(contentNames.map((name) => [name, ''])) as Content,
  ...{ acteur: null, commune: null, source_url: '', image_url: '', at: '' },
})
const named = [...contentNames, 'acteur_id', 'commune_id', 'source_url', 'image_url', 'publie_le']

/** Screen to write a publication: administrators choose any acteur, members one of their own. */
export function NewPublicationScreen() {
  const words = useTranslations('writing')
  const { me } = route.useRouteContext()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [stored, store, clear] = useDraft('publication')
  const changes = useChangesElsewhere('publication')
  const [fresh, setFresh] = useState(empty)
  const draft = read<Draft>(stored) ?? fresh
  const own = writableActeurs(me).map(({ acteur_id, nom, can_publish, mairie_of }) => ({
    ...{ id: acteur_id, nom, canPublish: can_publish, communes: mairie_of },
  }))
  const [only] = own.length === 1 && !canWriteForAll(me) ? own : []
  const acteur = draft.acteur ?? only ?? null
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const form = useFirstWrong(error)
  const wrong = errorOf(error)
  const change = (changed: Partial<Draft>) => store(JSON.stringify({ ...draft, ...changed }))
  const { content, commune, source_url, image_url, at } = draft
  const mayChooseTime = canWriteForAll(me) || acteur?.canPublish === true
  const drop = () => {
    clear()
    setError(null)
    setFresh(empty())
  }
  const send = async () => {
    if (isPending) return
    setPending(true)
    setError(null)
    try {
      const publie_le = at === '' || !mayChooseTime ? null : (momentOf(at)?.toISOString() ?? at)
      const made = await create(draft.key, {
        ...{ content, source_url, image_url, publie_le },
        acteur: acteur?.id ?? null,
        commune: commune?.id ?? null,
      })
      clear()
      for (const queryKey of [['publications'], ['dashboard']]) void client.invalidateQueries({ queryKey })
      showToast({ title: words(`written.${made.moderation_status}`, { titre: made.titre }) })
      await navigate({ to: '/publications/$id', params: { id: made.id } })
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  useShortcuts(words('newTitle'), [
    { key: 'Enter', withControl: true, label: words('send'), run: () => void send() },
  ])
  const deed = at !== '' && mayChooseTime ? 'schedule' : acteur?.canPublish ? 'publish' : 'submit'
  return (
    <Page title={words('newTitle')}>
      <div className={styles.split}>
        <form
          id={formId}
          ref={form}
          className={styles.form}
          noValidate
          onSubmit={(event: SyntheticEvent) => {
            event.preventDefault()
            void send()
          }}
        >
          {changes > 0 && stored !== '' && <Notice title={words('otherTab')} />}
          {error !== null && !isToldByFields(error, named) && (
            <ShownFailure error={error} onRetry={() => void send()} />
          )}
          {canWriteForAll(me) ? (
            <Found
              key={`acteur ${draft.key} ${changes}`}
              label={words('acteur')}
              isRequired
              search={searchActeurs}
              chosen={acteur}
              onChoose={(chosen) => change({ acteur: chosen })}
              error={wrong('acteur_id')}
            />
          ) : (
            <Select
              label={words('acteur')}
              value={acteur?.id ?? ''}
              onChange={(id) => change({ acteur: own.find((one) => one.id === id) ?? null, commune: null })}
              options={own.map(({ id, nom }) => ({ value: id, label: nom }))}
            />
          )}
          {canWriteForAll(me) ? (
            <Found
              key={`commune ${draft.key} ${changes}`}
              label={words('commune')}
              help={words('communeHelp')}
              search={searchCommunes}
              chosen={commune}
              onChoose={(chosen) => change({ commune: chosen })}
              error={wrong('commune_id')}
            />
          ) : (
            <OwnCommune
              communes={own.find(({ id }) => id === acteur?.id)?.communes ?? []}
              chosen={commune}
              onChoose={(chosen) => change({ commune: chosen })}
            />
          )}
          <ContentFields
            editorKey={`${draft.key} ${changes}`}
            content={content}
            onChange={(changed) => change({ content: { ...content, ...changed } })}
            error={error}
          />
          <TextField
            label={words('image_url')}
            help={words('imageHelp')}
            type="url"
            value={image_url}
            onChange={(value) => change({ image_url: value })}
            error={wrong('image_url')}
          />
          <TextField
            label={words('source_url')}
            type="url"
            value={source_url}
            onChange={(value) => change({ source_url: value })}
            error={wrong('source_url')}
          />
          {mayChooseTime && (
            <TextField
              label={words('at')}
              help={words('atHelp')}
              type="datetime-local"
              value={at}
              onChange={(value) => change({ at: value })}
              error={wrong('publie_le')}
            />
          )}
          <p className={styles.state}>{words(`outcome.${deed}`)}</p>
          <div className={styles.ways}>
            <Button look="primary" type="submit" isPending={isPending}>
              {words(`deed.${deed}`)}
            </Button>
            {stored !== '' && (
              <Button look="quiet" onPress={drop}>
                {words('dropNew')}
              </Button>
            )}
          </div>
        </form>
        <Preview content={content} acteur={acteur?.nom ?? null} image={image_url} />
      </div>
    </Page>
  )
}

type FoundProps<Item extends Choice> = {
  label: string
  help?: string
  error: string | null
  isRequired?: boolean
  search: Search<Item>
  chosen: Item | null
  onChoose: (item: Item | null) => void
}

/** Combo box whose options the service searches as the user types. */
function Found<Item extends Choice>({ search, chosen, ...props }: FoundProps<Item>) {
  const [typed, setTyped] = useState(chosen?.nom ?? '')
  // The name of the chosen option would find only that option: an empty search offers all.
  const { data = [] } = useQuery({
    ...search(typed === chosen?.nom ? '' : typed.trim()),
    placeholderData: keepPreviousData,
  })
  return <Combo {...props} typed={typed} onType={setTyped} items={data} chosen={chosen} />
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
