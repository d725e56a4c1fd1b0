import { createLink } from '@tanstack/react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { TitleAnchor } from '../../ui/layout.tsx'

/** Button that leads to a screen. */
export const ScreenLink = createLink(ButtonLink)

/** Name of a record in a list, which leads to its screen. */
export const TitleLink = createLink(TitleAnchor)
