import { setFlagsFromString } from 'node:v8'

// Limits heap growth while code loads: an idle service would keep 50 MB of garbage space. `src/main.ts`
// restores normal growth.
setFlagsFromString('--semi-space-growth-factor=1')
