import type { ReactNode } from 'react'

/** An address, an id or a code, in a font whose letters can't be confused. */
export function Mono({ children }: { children: ReactNode }) {
  return (
    <code className="inline-block max-w-full break-words rounded-[5px] border border-line bg-paper px-1.5 py-px font-mono text-note">
      {children}
    </code>
  )
}
