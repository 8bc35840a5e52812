//! The command line.

use std::path::Path;
use std::process::exit;

use thinout::catalogue::Catalogue;
use thinout::error::Error;
use thinout::{plan, report, rules};

const USAGE: &str = "usage: thinout list FILE | plan FILE --keep RULES | prune FILE --keep RULES";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words.iter().map(String::as_str).collect::<Vec<_>>()) {
        Ok(text) => print!("{text}"),
        Err(error) => {
            eprintln!("thinout: {error}");
            exit(error.status());
        }
    }
}

fn run(words: &[&str]) -> Result<String, Error> {
    match words {
        ["list", file] => Ok(report::list(&Catalogue::load(Path::new(file))?)),
        ["plan", file, "--keep", keep] => {
            let rules = rules::parse(keep)?;
            let catalogue = Catalogue::load(Path::new(file))?;
            Ok(report::plan(&plan::plan(&catalogue, &rules)))
        }
        ["prune", file, "--keep", keep] => {
            let rules = rules::parse(keep)?;
            prune(Path::new(file), &rules)
        }
        _ => Err(Error::Usage(USAGE.to_string())),
    }
}

fn prune(path: &Path, rules: &[rules::Rule]) -> Result<String, Error> {
    let mut catalogue = Catalogue::load(path)?;
    let verdicts = plan::plan(&catalogue, rules);
    let gone = plan::dropped(&verdicts);
    if !gone.is_empty() {
        catalogue.remove(&gone);
        catalogue.save(path)?;
    }
    Ok(report::summary(&verdicts))
}
