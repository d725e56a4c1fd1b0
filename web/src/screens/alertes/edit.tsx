import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useTranslations } from 'use-intl'
import { messageFor } from '../../api/failure.ts'
import { DraftConflict } from '../../shell/editing/conflict.tsx'
import { usePartDraft } from '../../shell/editing/part-draft.ts'
import { saveNewest } from '../../shell/editing/save.ts'
import { useSubmit } from '../../shell/editing/use-submit.ts'
import { RecordHistory } from '../../shell/records/record-history.tsx'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { momentOf, typedOf as typedTime } from '../../ui/moment-field.ts'
import { AlerteFields } from './fields.tsx'
import { type AlerteStore, type Managed, type PlacesProps, stateOf } from './store.ts'

const typedOf = ({ titre, message, niveau, debut, fin, commune_ids }: Managed) => ({
  places: commune_ids.length > 0 ? commune_ids : null,
  titre,
  message,
  niveau,
  debut: typedTime(debut),
  fin: typedTime(fin),
})

type EditProps = {
  alerte: Managed
  store: AlerteStore
  /** Choice of its communes, where it has one. */
  Places?: ComponentType<PlacesProps> | undefined
  onClose: () => void
  onSaved: (isTold: boolean) => void
}

/** Form of an alerte. The draft stays on the device until it is saved or discarded. */
export function EditAlerte({ alerte, store, Places, onClose, onSaved }: EditProps) {
  const words = useTranslations('alertes')
  const ofDraft = useTranslations('draft')
  const client = useQueryClient()
  const query = store.query(alerte)
  // The row is saved at once, also before the newest version has been read.
  const newest = useQuery({ ...query, initialData: alerte, initialDataUpdatedAt: 0 }).data ?? alerte
  const draft = usePartDraft(`alerte.${alerte.id}`, typedOf(newest))
  const { mine, base, put } = draft
  const [isTold, setTold] = useState(false)
  const [isWithout, setWithout] = useState(false)
  const saving = useSubmit({
    mutationFn: () =>
      saveNewest(client, query, (now) => {
        if (now !== null) draft.requireBase(typedOf(now))
        return store.update(now ?? alerte, {
          titre: mine.titre.trim(),
          message: mine.message.trim(),
          niveau: mine.niveau,
          // Sends changed times only: the field drops the seconds.
          ...(mine.debut !== base.debut && { debut: momentOf(mine.debut)?.toISOString() ?? null }),
          ...(mine.fin !== base.fin && { fin: momentOf(mine.fin)?.toISOString() ?? null }),
          ...(String(mine.places) !== String(base.places) && { commune_ids: mine.places ?? [] }),
          ...(isTold && { notify: true }),
        })
      }),
    onSuccess: (saved) => {
      client.setQueryData(query.queryKey, { ...newest, ...saved })
      draft.clear()
      onSaved(isTold)
    },
    onError: () => void client.invalidateQueries({ queryKey: ['alertes'] }),
  })
  const wrong = (name: string) => messageFor(saving.error, name)
  const save = () => {
    // None would mean all.
    const isEmpty = mine.places?.length === 0
    setWithout(isEmpty)
    if (!draft.isBehind && !isEmpty) saving.submit()
  }
  const discard = () => {
    draft.clear()
    onClose()
  }
  return (
    <Dialog
      wide
      title={words('edit')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={discard}>{draft.isChanged ? ofDraft('discard') : words('cancel')}</Button>
          <Button look="primary" type="submit" form="alerte" isPending={saving.isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <Form isSaving={saving.isPending} id="alerte" onSubmit={save}>
        {!saving.isPending && (
          <DraftConflict
            draft={draft}
            linesOf={(typed) => [
              [words('titre'), typed.titre],
              [words('message'), typed.message],
              [words('niveau'), words(`niveaux.${typed.niveau}`)],
              [words('debut'), typed.debut.replace('T', ' ')],
              [words('fin'), typed.fin.replace('T', ' ')],
              ...(Places
                ? [[words('places'), typed.places ? `${typed.places.length}` : words('allPlaces')] as const]
                : []),
            ]}
          />
        )}
        {saving.error !== null && <ShownFailure error={saving.error} />}
        <AlerteFields typed={mine} onChange={put} errorOf={wrong} autoFocus />
        {Places && (
          <Places
            places={mine.places}
            onChange={(places) => {
              put({ places: places && [...places] })
              setWithout(false)
            }}
            error={isWithout ? words('noPlace') : wrong('commune_ids')}
          />
        )}
        {stateOf(newest) === 'current' && (
          <Checkbox isSelected={isTold} isDisabled={saving.isPending} onChange={setTold}>
            {words('tellCorrection')}
          </Checkbox>
        )}
        <RecordHistory kind="alerte" id={alerte.id} />
      </Form>
    </Dialog>
  )
}
