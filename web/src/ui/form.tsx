import type { ComponentProps } from 'react'
import styles from './layout.module.css'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }

/** Form with one field below another, unless its class says otherwise. The page stays when it is submitted. */
export function Form({ className = styles.stack, onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
