use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut out = String::new();
    let result = slipway::cli::run(&words, &mut out);
    print!("{out}");
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("slipway: {problem}");
            ExitCode::from(2)
        }
    }
}
