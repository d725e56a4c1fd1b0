import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { ListPager } from '../../shell/lists/list-pager.tsx'
import { QueryState } from '../../shell/query-state.tsx'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useActeur } from './acteur.ts'
import { type FromGroup, type GroupHidings, perPage } from './group-hidings.queries.ts'
import { NotAllowed } from './not-allowed.tsx'
import type { GroupHidingsSearch } from './search.ts'

type HidingsProps<Item extends FromGroup> = {
  kind: 'publications' | 'alertes'
  hidings: GroupHidings<Item>
  search: GroupHidingsSearch
  back: ReactNode
  /** Lines below the title of an item, and what stands beside the name of its group. */
  textOf?: (item: Item) => ReactNode
  linkOf?: (item: Item) => ReactNode
  /** Columns between the title and the state, and what a narrow window shows of them and of the state. */
  columns: readonly TableColumn<Item>[]
  narrow: (item: Item, state: ReactNode) => ReactNode
  /** Asks before it hides or shows: residents get messages, or get no more of them. */
  asks?: boolean
}

/** List of what groups show in the commune of a mairie, which may hide it there and show it again. */
export function GroupHidingsList<Item extends FromGroup>({
  kind,
  hidings,
  search,
  back,
  textOf,
  linkOf,
  columns,
  narrow,
  asks = false,
}: HidingsProps<Item>) {
  const words = useTranslations('espace.groupHidings')
  const ofCommune = useTranslations('espace.commune')
  const navigate = useNavigate()
  const communes = useActeur().mairie_of
  const one = communes.find(({ id }) => id === search.commune) ?? communes[0]
  const communeId = one?.id ?? ''
  const list = useQuery({ ...hidings.list(communeId, search.page ?? 1), enabled: one !== undefined })
  const [asked, setAsked] = useState<Change<Item> | null>(null)
  const hiding = useHiding(hidings, communeId, () => setAsked(null))
  if (one === undefined) return <NotAllowed />
  const titleOf = (item: Item) => (
    <>
      <strong>{item.titre}</strong>
      {textOf?.(item)}
      <Row isSoft as="span">
        <span>{item.acteur.nom}</span>
        {linkOf?.(item)}
      </Row>
    </>
  )
  const stateOf = ({ hidden_at }: Item) => hidden_at !== null && <Badge tone="warn">{words('hidden')}</Badge>
  const deedOf = (of: Item) => {
    const isHidden = of.hidden_at === null
    const change = { of, isHidden, isUndo: false }
    return (
      of.may_hide && (
        <Button
          small
          aria-label={words(isHidden ? 'hideOne' : 'showOne', { titre: of.titre })}
          onPress={() => (asks ? setAsked(change) : hiding.submit(change))}
        >
          {words(isHidden ? 'hide' : 'show')}
        </Button>
      )
    )
  }
  const what = asked?.isHidden ? 'hide' : 'show'
  return (
    <Page title={words(`${kind}.title`)} back={back}>
      <Soft>{words(`${kind}.text`)}</Soft>
      {communes.length > 1 && (
        <Select
          label={ofCommune('choose')}
          value={one.id}
          onChange={(commune) => void navigate({ to: '.', search: { commune } })}
          options={communes.map(({ id, nom }) => ({ value: id, label: nom }))}
        />
      )}
      <QueryState query={list} lines={6} />
      {list.data && (
        <>
          <Table
            label={words(`${kind}.title`)}
            columns={[
              { id: 'title', title: words(`${kind}.one`), cell: titleOf },
              ...columns,
              { id: 'state', title: words('state'), cell: stateOf },
              { id: 'deed', title: words('deed'), cell: deedOf },
            ]}
            narrow={(item) => (
              <>
                {titleOf(item)}
                {narrow(item, stateOf(item))}
                {deedOf(item)}
              </>
            )}
            items={list.data.data}
            empty={
              <Empty icon={kind === 'alertes' ? 'bell' : 'list'} title={words(`${kind}.empty.title`)}>
                <p>{words(`${kind}.empty.text`)}</p>
              </Empty>
            }
          />
          <ListPager list={list} perPage={perPage} hidesSinglePage />
        </>
      )}
      {asked !== null && (
        <Confirm
          title={words(`ask.${what}.title`, { titre: asked.of.titre })}
          action={words(what)}
          look={asked.isHidden ? 'danger' : 'primary'}
          isOpen
          isPending={hiding.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => hiding.submit(asked)}
        >
          <p>{words(`ask.${what}.text`)}</p>
        </Confirm>
      )}
    </Page>
  )
}

type Change<Item> = { of: Item; isHidden: boolean; isUndo: boolean }

/** Hides or shows an item, and offers to undo it. */
function useHiding<Item extends FromGroup>(
  { key, setHidden }: GroupHidings<Item>,
  communeId: string,
  onSettled: () => void,
) {
  const words = useTranslations('espace.groupHidings')
  const queue = useTranslations('queue')
  const client = useQueryClient()
  const showFailure = useFailureToast()
  const closeLatest = useRef(() => {})
  const setting = useSubmit({
    mutationFn: ({ of: { id }, isHidden }: Change<Item>) => setHidden(communeId, id, isHidden),
    onSuccess: (_changed, { of, isHidden, isUndo }) => {
      closeLatest.current()
      closeLatest.current = showToast({
        title: words(isHidden ? 'isHidden' : 'isShown', { titre: of.titre }),
        ...(!isUndo && {
          action: {
            label: queue('undo'),
            run: () => setting.submit({ of, isHidden: !isHidden, isUndo: true }),
          },
        }),
      })
    },
    onError: (error, { of }) => showFailure(words('failed'), error, { subject: of.titre }),
    onSettled() {
      onSettled()
      void client.invalidateQueries({ queryKey: key })
    },
  })
  return setting
}
