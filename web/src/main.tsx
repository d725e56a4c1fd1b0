import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/reset.css'
import { queryClient } from './api/queries.ts'
import { router, sendFirstRequests } from './router.tsx'
import { applyTheme, settings } from './shell/settings.ts'
import { TextProvider } from './text/provider.tsx'
import { keepFocus } from './ui/keep-focus.ts'
import { Toasts } from './ui/toast.tsx'

function Application() {
  const { language } = settings.use()
  return (
    <TextProvider language={language}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </TextProvider>
  )
}

// A failure shows on the screen.
void sendFirstRequests().catch(() => {})
applyTheme()
keepFocus()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Application />
    </StrictMode>,
  )
