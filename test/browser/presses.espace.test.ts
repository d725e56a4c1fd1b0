import { pressEveryControl } from './presses.ts'

pressEveryControl('espace')
