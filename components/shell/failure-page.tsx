import type { ReactNode } from 'react'
import { Guilloche } from '../look/guilloche'

/** A whole page that tells what went wrong and what to do next. */
export function FailurePage({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="relative isolate grid min-h-dvh overflow-hidden">
      <Guilloche
        form="rosette"
        className="-right-[20rem] -bottom-[20rem] -z-10 w-[40rem] opacity-50 md:top-1/2 md:-right-[14rem] md:bottom-auto md:w-[60rem] md:-translate-y-1/2 md:opacity-70"
      />
      <main id="main" className="flex items-center px-4 py-24 xs:px-6 md:px-12">
        <div className="grid max-w-[30rem] animate-arrive justify-items-start gap-6 md:ml-[8vw]">
          <div className="grid gap-2">
            <h1 className="text-title">{title}</h1>
            <p className="text-ink-second">{text}</p>
          </div>
          {children}
        </div>
      </main>
    </div>
  )
}
