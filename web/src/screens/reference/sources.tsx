import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { CommuneChoice } from '../../shell/choices/choices.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useAdds } from '../../shell/navigation/adds.ts'
import { QueryState } from '../../shell/query-state.tsx'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Page } from '../../ui/page.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Communes } from './communes.tsx'
import { EditDialog, useSaving } from './edit.tsx'
import { type AppSource, saveSource, sourcesQuery } from './queries.ts'
import styles from './reference.module.css'

type Row = AppSource & { id: string }

/** Applications that may call the API. */
export function SourcesScreen() {
  const words = useTranslations('reference')
  const sources = useQuery(sourcesQuery)
  const client = useQueryClient()
  const isNarrow = useNarrow()
  const [edited, setEdited] = useState<AppSource | 'new' | null>(null)
  useAdds(() => setEdited('new'))
  const nameOf = ({ label }: AppSource) => <strong>{label}</strong>
  const codeOf = ({ code }: AppSource) => <code>{code}</code>
  const stateOf = ({ active }: AppSource) => (
    <Badge tone={active ? 'good' : 'bad'}>{words(active ? 'sources.active' : 'sources.refused')}</Badge>
  )
  const actions: TableColumn<Row> = {
    id: 'actions',
    title: words('actions'),
    cell: (source) => (
      <Button small aria-label={words('editNamed', { name: source.label })} onPress={() => setEdited(source)}>
        {words('edit')}
      </Button>
    ),
  }
  const columns: TableColumn<Row>[] = [
    { id: 'label', title: words('label'), cell: nameOf },
    { id: 'code', title: words('sources.code'), cell: codeOf },
    {
      id: 'shows',
      title: words('sources.shows'),
      cell: (source) => <Shown {...source} />,
    },
    { id: 'active', title: words('sources.state'), cell: stateOf },
    actions,
  ]
  const whole: TableColumn<Row> = {
    id: 'label',
    title: words('label'),
    cell: (source) => (
      <div className={styles.whole}>
        <span>
          {nameOf(source)} {codeOf(source)}
        </span>
        <Shown {...source} />
        {stateOf(source)}
      </div>
    ),
  }
  return (
    <Page
      title={words('sources.title')}
      actions={
        <Button look="primary" onPress={() => setEdited('new')}>
          {words('sources.add')}
        </Button>
      }
    >
      <Link to="/system">{words('back')}</Link>
      <QueryState query={sources} lines={6} />
      {sources.data && (
        <Table
          label={words('sources.title')}
          items={sources.data.map((source) => ({ ...source, id: source.code }))}
          empty={<p>{words('sources.empty')}</p>}
          columns={isNarrow ? [whole, actions] : columns}
        />
      )}
      {edited !== null && (
        <SourceDialog
          source={
            edited === 'new' ? null : (sources.data?.find(({ code }) => code === edited.code) ?? edited)
          }
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null)
            void client.invalidateQueries({ queryKey: ['app-sources'] })
          }}
        />
      )}
    </Page>
  )
}

const maxNamed = 3

/** Names the group, or a few communes, and counts the others. */
function Shown({ communes, group }: Pick<AppSource, 'communes' | 'group'>) {
  const words = useTranslations('reference.sources')
  if (group !== null) return group.nom
  if (communes === null) return words('everything')
  const names = communes.slice(0, maxNamed).map(({ nom }) => nom)
  const others = communes.length - names.length
  return (
    [...names, ...(others > 0 ? [words('others', { count: others })] : [])].join(', ') || words('nothing')
  )
}

type Typed = { code: string; label: string; active: boolean; communes: readonly CommuneChoice[] | null }
const emptySource: Typed = { code: '', label: '', active: true, communes: null }

const typedOf = ({ code, label, active, communes }: AppSource): Typed => ({
  code,
  label,
  active,
  communes: communes?.map(({ id, nom, departement }) => ({ id, nom, note: departement })) ?? null,
})

type SourceProps = { source: AppSource | null; onClose: () => void; onSaved: () => void }

function SourceDialog({ source, onClose, onSaved }: SourceProps) {
  const words = useTranslations('reference')
  const client = useQueryClient()
  const draft = usePartDraft(
    `app-source.${source?.code ?? 'new'}`,
    source === null ? emptySource : typedOf(source),
  )
  const { code, label, active, communes } = draft.mine
  const [isEmpty, setEmpty] = useState(false)
  const isOwn = source?.own === true
  const { saving, wrong } = useSaving(
    async () => {
      const body = {
        code: code.trim(),
        label: label.trim(),
        ...(!isOwn && { active, commune_ids: communes?.map(({ id }) => id) ?? null }),
      }
      if (source === null) return saveSource(null, body)
      await saveNewest(client, sourcesQuery, (sources) => {
        const now = sources.find((one) => one.code === source.code) ?? source
        draft.requireBase(typedOf(now))
        return saveSource(now, body)
      })
    },
    () => {
      draft.clear()
      onSaved()
    },
  )
  const submit = () => {
    const isWithout = communes?.length === 0
    setEmpty(isWithout)
    if (label.trim() !== '' && code.trim() !== '' && !isWithout && !draft.isBehind) saving.submit()
  }
  return (
    <EditDialog
      title={source === null ? words('sources.add') : words('editNamed', { name: source.label })}
      saving={saving}
      draft={draft}
      conflict={
        <DraftConflict
          draft={draft}
          linesOf={(typed) => [
            [words('label'), typed.label],
            [
              words('sources.shows'),
              typed.communes?.map(({ nom }) => nom).join(', ') ?? words('sources.everything'),
            ],
            [words('sources.state'), words(typed.active ? 'sources.active' : 'sources.refused')],
          ]}
        />
      }
      taken={words('sources.taken')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={words('sources.code')}
        help={words('sources.codeHelp')}
        isRequired
        isReadOnly={source !== null}
        autoFocus={source === null}
        autoComplete="off"
        maxLength={50}
        value={code}
        onChange={(text) => draft.put({ code: text })}
        error={wrong('code')}
      />
      <TextField
        label={words('label')}
        isRequired
        autoFocus={source !== null}
        maxLength={100}
        value={label}
        onChange={(text) => draft.put({ label: text })}
        error={wrong('label')}
      />
      {isOwn ? (
        <p>{words('sources.own')}</p>
      ) : (
        <>
          {source?.group ? (
            <p>{words('sources.ofGroup', { name: source.group.nom })}</p>
          ) : (
            <Communes
              chosen={communes}
              onChange={(chosen) => {
                draft.put({ communes: chosen })
                setEmpty(false)
              }}
              error={isEmpty ? words('sources.noCommune') : wrong('commune_ids')}
            />
          )}
          <Switch isSelected={active} onChange={(isOn) => draft.put({ active: isOn })}>
            {words('sources.isActive')}
          </Switch>
        </>
      )}
      {source && <RecordHistory kind="app_source" id={source.code} />}
    </EditDialog>
  )
}
