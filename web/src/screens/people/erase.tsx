import { useMutation, useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty, Skeleton } from '../../ui/empty.tsx'
import { TextField } from '../../ui/field.tsx'
import styles from './people.module.css'
import { type Asked, type ErasedPerson, erasePerson, previewQuery } from './queries.ts'

type EraseProps = {
  asked: Asked
  /** The address to type; null if none is certain. */
  name: string | null
  onClose: () => void
  onErased: (report: ErasedPerson) => void
}

/** Says what an erasure changes, and erases once the address, or a word, was typed. */
export function EraseDialog({ asked, name, onClose, onErased }: EraseProps) {
  const words = useTranslations('people')
  const preview = useQuery(previewQuery(asked))
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const erasing = useMutation({ mutationFn: () => erasePerson(asked), onSuccess: onErased })
  const expected = name ?? words('erase.word')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const isSame = typed.trim().toLowerCase() === expected.toLowerCase()
    setWrong(!isSame)
    if (isSame && !erasing.isPending) erasing.mutate()
  }
  const places = preview.data?.places ?? []
  return (
    <Dialog
      wide
      title={words('erase.title')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('erase.cancel')}</Button>
          {places.length > 0 && (
            <Button look="danger" type="submit" form="erase" isPending={erasing.isPending}>
              {words('erase.deed')}
            </Button>
          )}
        </>
      }
    >
      {preview.isPending && <Skeleton lines={6} />}
      {preview.isError && <ShownFailure error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data && places.length === 0 && <Empty icon="check" title={words('erase.nothing')} />}
      {places.length > 0 && (
        <form id="erase" className={styles.form} noValidate onSubmit={submit}>
          <p>{words('erase.text')}</p>
          <dl className={styles.preview}>
            {places.map(({ name: place, title, rows, erasure }) => (
              <div key={place}>
                <dt>
                  {title} : {words('rows', { count: rows })}
                </dt>
                <dd>{erasure}</dd>
              </div>
            ))}
          </dl>
          <p>{words('erase.stays')}</p>
          <TextField
            label={words('erase.type', { expected })}
            isRequired
            autoComplete="off"
            value={typed}
            onChange={setTyped}
            error={isWrong ? words('erase.wrong', { expected }) : null}
          />
          {erasing.isError && <ShownFailure error={erasing.error} />}
        </form>
      )}
    </Dialog>
  )
}
