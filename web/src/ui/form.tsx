import { type ComponentProps, createContext, useContext } from 'react'
import styles from './layout.module.css'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit: () => void
  /** While it is saved nothing can be typed: it would not be saved with the rest, and then be discarded. */
  isSaving?: boolean
}

const Saving = createContext(false)

/** Whether the surrounding form is being saved. */
export const useIsSaving = (): boolean => useContext(Saving)

/** The first part that is missing of a date or time of which others are typed: `DateField`, `TimeField`. */
const missingPart =
  '[data-date]:has([role=spinbutton]:not([data-placeholder])) [role=spinbutton][data-placeholder]'

/**
 * Form with one field below another, unless its class says otherwise. The page stays when it is submitted. A date that is
 * typed in part would be saved as none: it is not submitted, and its missing part gets the focus.
 */
export function Form({ className = styles.stack, onSubmit, isSaving = false, ...props }: FormProps) {
  return (
    <Saving value={isSaving}>
      <form
        {...props}
        noValidate
        className={className}
        onSubmit={(event) => {
          event.preventDefault()
          const missing = event.currentTarget.querySelector<HTMLElement>(missingPart)
          if (missing) missing.focus()
          else onSubmit()
        }}
      />
    </Saving>
  )
}
