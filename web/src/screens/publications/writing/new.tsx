import { NewPublication } from './new-form.tsx'

/** Screen for administrators to write a publication of any acteur. */
export const NewPublicationScreen = () => <NewPublication own={null} />
