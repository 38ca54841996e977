'use client'

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { createContext, type ReactNode, use, useState } from 'react'
import { call } from '@/lib/kernel/http/client'
import type { patchUserSettings } from '@/lib/profile/user-settings/contract'

const Fold = createContext<{ mini: boolean; toggle: () => void }>({ mini: false, toggle: () => {} })

/** The page around header, menu and content; `mini` is how the server says that the side menu begins. */
export function ShellFrame({ mini: initial, children }: { mini: boolean; children: ReactNode }) {
  const [mini, setMini] = useState(initial)
  const toggle = () => {
    setMini(!mini)
    // a choice that can't be kept holds for this page alone (portal.md section 8: logged, without a message)
    call<typeof patchUserSettings>(
      { method: 'PATCH', path: '/users/settings' },
      { body: { settings: { navMini: !mini } } },
    ).catch((error) => console.warn('the folded menu is not kept', error))
  }
  return (
    <Fold value={{ mini, toggle }}>
      <div data-mini={mini || undefined} className="group/shell flex min-h-dvh">
        {children}
      </div>
    </Fold>
  )
}

/** Folds the side menu to its icons and back. */
export function FoldButton({ fold, unfold, className }: { fold: string; unfold: string; className: string }) {
  const { mini, toggle } = use(Fold)
  const Icon = mini ? PanelLeftOpen : PanelLeftClose
  const label = mini ? unfold : fold
  return (
    <button type="button" onClick={toggle} aria-expanded={!mini} data-tip={label} className={className}>
      <Icon className="size-5 shrink-0" />
      <span className="group-data-mini/shell:sr-only">{label}</span>
    </button>
  )
}
