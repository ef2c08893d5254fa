import {table} from './table';

export const platform = table('platform', {
  untitled: 'Exercises',
  package: 'For a learning platform',
  package_help:
    'A file for learning platforms that import SCORM 2004. It holds the exercises and the tutor; pupils work there, and the platform keeps lines, score and progress.',
  package_make: 'Download as a SCORM package',
  package_busy: 'Packing…',
  package_done: 'The package has {megabytes} MB.',
  package_failed: 'The package could not be made: not all files of the page could be fetched. Try again when there is a network.',
  no_set: 'The exercise set of this package is damaged.',
  no_platform: 'No learning platform was found around this page. You can work, but nothing is reported and nothing is kept.',
  reported: 'You work as {name}.',
  only_looking: 'The platform shows this for looking only: nothing is reported.',
  not_taken: 'The learning platform did not take a result (error {error}). Tell your teacher.',
  privacy: 'Your lines and results go to the learning platform that showed you this page, and nowhere else.',
});
