import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Integration tests that wait for time to pass or start processes. They begin first, however small their files are, so
 * that no worker runs one alone at the end. The other files are sorted by the times of the last run, or by size.
 */
const slow = ['outages', 'hostile-input', 'hostile-input-2', 'event-workers', 'access-matrix', 'access-matrix-2']
const places = new Map(slow.map((name, at) => [`tests/integration/${name}.test.ts`, at]))
const placeOf = ({ moduleId }: TestSpecification) =>
  places.get(moduleId.slice(moduleId.indexOf('tests/integration/'))) ?? slow.length

export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]) {
    const sorted = await super.sort(specifications)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
