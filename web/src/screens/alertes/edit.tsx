import { type SyntheticEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../api/failure.ts'
import { ShownFailure } from '../../shell/shown-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { momentOf, typedOf } from '../../ui/moment.ts'
import styles from './alertes.module.css'
import { type Alerte, updateAlerte } from './queries.ts'
import { niveaux } from './search.ts'

type EditProps = { alerte: Alerte; onClose: () => void; onSaved: () => void }

export function EditAlerte({ alerte, onClose, onSaved }: EditProps) {
  const words = useTranslations('alertes')
  const [titre, setTitre] = useState(alerte.titre)
  const [message, setMessage] = useState(alerte.message)
  const [niveau, setNiveau] = useState(alerte.niveau)
  const [debut, setDebut] = useState(typedOf(alerte.debut))
  const [fin, setFin] = useState(typedOf(alerte.fin))
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const wrong = (field: string) =>
    error instanceof ApiFailure
      ? (error.details.find((detail) => detail.field === field)?.message ?? null)
      : null
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    setPending(true)
    setError(null)
    try {
      await updateAlerte(alerte, {
        titre: titre.trim(),
        message: message.trim(),
        niveau,
        // Sends changed times only: the field drops the seconds.
        ...(debut !== typedOf(alerte.debut) && { debut: momentOf(debut)?.toISOString() ?? null }),
        ...(fin !== typedOf(alerte.fin) && { fin: momentOf(fin)?.toISOString() ?? null }),
      })
      onSaved()
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  return (
    <Dialog
      wide
      title={words('edit')}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words('cancel')}</Button>
          <Button look="primary" type="submit" form="alerte" isPending={isPending}>
            {words('save')}
          </Button>
        </>
      }
    >
      <form id="alerte" className={styles.form} onSubmit={(event) => void save(event)} noValidate>
        {error !== null && <ShownFailure error={error} />}
        <TextField
          label={words('titre')}
          isRequired
          autoFocus
          maxLength={200}
          value={titre}
          onChange={setTitre}
          error={wrong('titre')}
        />
        <TextField
          label={words('message')}
          isRequired
          rows={5}
          maxLength={2_000}
          value={message}
          onChange={setMessage}
          error={wrong('message')}
        />
        <Segmented
          label={words('niveau')}
          value={niveau}
          onChange={setNiveau}
          options={niveaux.map((value) => ({ value, label: words(`niveaux.${value}`) }))}
        />
        <TextField
          label={words('debut')}
          help={words('debutHelp')}
          type="datetime-local"
          value={debut}
          onChange={setDebut}
          error={wrong('debut')}
        />
        <TextField
          label={words('fin')}
          help={words('finHelp')}
          type="datetime-local"
          value={fin}
          onChange={setFin}
          error={wrong('fin')}
        />
      </form>
    </Dialog>
  )
}
