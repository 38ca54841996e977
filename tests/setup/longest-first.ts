import { statSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { randomNumbers } from '../factories/random.ts'
import { expectedSeconds } from './expected.ts'
import { pieceOf } from './piece.ts'
import { isFull, runSeed } from './scope.ts'

/** The files that take longest begin, so that no worker runs one alone at the end. A full run has them in random order. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]) {
    const random = randomNumbers(runSeed)
    const places = new Map(
      specifications
        .toSorted((one, other) => one.moduleId.localeCompare(other.moduleId))
        .map(({ moduleId }) => {
          // a file that never ran is guessed by its size
          const seconds = () => expectedSeconds(pieceOf(moduleId), statSync(moduleId).size / 5_000)
          return [moduleId, isFull ? random(1e9) : -seconds()]
        }),
    )
    const placeOf = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? 0
    return specifications.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
